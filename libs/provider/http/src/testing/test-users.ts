/** For tests: the credentials of the fake provider's test users. Nobody has to approve what Amara asks for. */

export const amara = 'test-user-amara-okafor-leeds'
export const daniel = 'test-user-daniel-reyes-tucson'
export const ines = 'test-user-ines-carvalho-lisboa'
export const tomasz = 'test-user-tomasz-zielinski-gdansk'

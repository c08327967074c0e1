/** For tests: the credentials of the fake provider's personas. Nobody has to approve what Amara asks for. */

export const amara = 'persona-amara-okafor-leeds'
export const daniel = 'persona-daniel-reyes-tucson'
export const ines = 'persona-ines-carvalho-lisboa'
export const tomasz = 'persona-tomasz-zielinski-gdansk'

/** Who works here: invented people and the groups that they are in. What a group may do, the console decides. */

export type Person = {
  /** Their `sub`, for ever. */
  readonly subject: string
  readonly name: string
  readonly groups: readonly string[]
  /** What they are here for. */
  readonly about: string
}

export const people: readonly Person[] = [
  { subject: 'marta.vidal', name: 'Marta Vidal', groups: ['viewers'], about: 'looks, and changes nothing' },
  {
    subject: 'jonas.brandt',
    name: 'Jonas Brandt',
    groups: ['viewers', 'responders'],
    about: 'looks, and stops what has to stop',
  },
  { subject: 'lena.okoye', name: 'Lena Okoye', groups: [], about: 'works here, and has nothing to do with operations' },
]

export function findPerson(subject: unknown): Person | undefined {
  return people.find((person) => person.subject === subject)
}

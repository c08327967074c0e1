/** Invented people and their groups. The console decides the rights of each group. */

export type Person = {
  /** The person's permanent `sub`. */
  readonly subject: string
  readonly name: string
  readonly groups: readonly string[]
  /** The person's purpose in the demonstration. */
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

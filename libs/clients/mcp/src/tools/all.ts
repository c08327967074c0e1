/** Every tool, in the order in which a host lists them. */

import type { Tool } from '../tool.ts'
import { freezeCard } from './cards.ts'
import { mandates } from './mandates.ts'
import { operations } from './operations.ts'
import { proposePayee } from './payees.ts'
import { payments } from './payments.ts'
import { lists } from './reads.ts'
import { signIn } from './sign-in.ts'

export const tools: readonly Tool[] = [
  signIn,
  ...payments,
  ...operations,
  ...lists,
  ...mandates,
  proposePayee,
  freezeCard,
]

/**
 * The registry of the schemas that the OpenAPI document names: the name, and an example of a body, a response or an item
 * of a list. A schema states both where it is defined.
 *
 * Invariant: every object and every enum that occurs twice has a name, because generators name the rest by its place.
 */

import { z } from 'zod'

/** Names and examples by schema. Bodies and lists need no name: they are named after their route and their items. */
export const documented = z.registry<{ id?: string; examples?: z.$input[] }>()

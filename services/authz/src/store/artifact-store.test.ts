/** A statement about one artifact changes no other id, no artifact of another model, and no ended artifact. */

import { hashId } from '@financial-agents/postgres/hash-id'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ArtifactStore, createArtifactStore, deleteArtifactsOfGrant } from './artifacts.ts'
import { dayMs, openTestStore, type TestStore } from './test-store.test-helper.ts'

let store: TestStore
let codes: ArtifactStore
let tokens: ArtifactStore

beforeEach(async () => {
  store = await openTestStore()
  codes = createArtifactStore(store.db, store.sealer, 'AuthorizationCode')
  tokens = createArtifactStore(store.db, store.sealer, 'RefreshToken')
  // One id in two models, and two ids in each.
  for (const model of [codes, tokens]) for (const id of ['one', 'two']) await record(model, id)
})
afterEach(() => store.close())

const keys = { grantId: 'grant' }
const expiresAt = () => new Date(store.clock.nowMs() + dayMs)
const record = (of: ArtifactStore, id: string) => of.record(id, { jti: id }, keys, expiresAt())
const all = () => Promise.all([codes, tokens].flatMap((of) => ['one', 'two'].map((id) => of.find(id))))

/** Checks that every artifact except the first code is unchanged. */
async function onlyTheFirstCode(changed: () => Promise<unknown>): Promise<void> {
  const [, ...before] = await all()
  await changed()
  const [, ...after] = await all()
  expect(after).toEqual(before)
}

test('consume changes only the artifact of that id and model', async () => {
  await onlyTheFirstCode(() => codes.consume('one', store.clock.now()))
  expect((await codes.find('one'))?.consumedAt).toBeInstanceOf(Date)
})

test('prolong changes only the artifact of that id and model, and none that was consumed', async () => {
  const later = new Date(store.clock.nowMs() + 9 * dayMs)
  await onlyTheFirstCode(() => codes.prolong('one', later))
  expect((await codes.find('one'))?.expiresAt).toEqual(later)
  await codes.consume('two', store.clock.now())
  const consumed = await codes.find('two')
  await codes.prolong('two', later)
  expect(await codes.find('two')).toEqual(consumed)
})

test('replace changes only the artifact of that id and model, if it is unchanged and not consumed', async () => {
  const sealed = (await codes.find('one'))?.sealed as Buffer
  await onlyTheFirstCode(() => codes.replace('one', { jti: 'new' }, keys, sealed))
  expect((await codes.find('one'))?.payload).toEqual({ jti: 'new' })
  expect(await codes.replace('one', { jti: 'newer' }, keys, sealed)).toBeUndefined()
  expect((await codes.find('one'))?.payload).toEqual({ jti: 'new' })
  const read = (await codes.find('two'))?.sealed as Buffer
  await codes.consume('two', store.clock.now())
  expect(await codes.replace('two', { jti: 'new' }, keys, read)).toBeUndefined()
  expect((await codes.find('two'))?.payload).toEqual({ jti: 'two' })
})

test('a consumed artifact is not overwritten by a request that read it before', async () => {
  await codes.consume('one', store.clock.now())
  const consumed = await codes.find('one')
  await codes.record('one', { jti: 'again' }, keys, expiresAt())
  expect(await codes.find('one')).toEqual(consumed)
})

test('destroy deletes only the artifact of that id and model', async () => {
  await onlyTheFirstCode(async () => expect(await codes.destroy('one')).toBe(true))
  expect(await codes.find('one')).toBeUndefined()
})

test('findByUid finds the artifact of that model', async () => {
  const later = new Date(store.clock.nowMs() + 9 * dayMs)
  await codes.record('with uid', { jti: 'code' }, { uid: 'uid' }, expiresAt())
  await tokens.record('with uid', { jti: 'token' }, { uid: 'uid' }, later)
  expect((await codes.findByUid('uid'))?.payload).toEqual({ jti: 'code' })
  expect((await tokens.findByUid('uid'))?.payload).toEqual({ jti: 'token' })
})

test('revokeByGrantId deletes only the artifacts of that grant and model', async () => {
  await tokens.record('three', { jti: 'three' }, { grantId: 'another' }, expiresAt())
  await codes.record('three', { jti: 'three' }, { grantId: 'another' }, expiresAt())
  await tokens.revokeByGrantId('grant')
  const left = await Promise.all([codes, tokens].flatMap((of) => ['one', 'two', 'three'].map((id) => of.find(id))))
  expect(left.map((artifact) => artifact?.payload)).toEqual([
    { jti: 'one' },
    { jti: 'two' },
    { jti: 'three' },
    undefined,
    undefined,
    { jti: 'three' },
  ])
})

test('the end of a grant deletes its artifacts except interactions, and none of another grant', async () => {
  const questions = createArtifactStore(store.db, store.sealer, 'Interaction')
  await record(questions, 'one')
  await tokens.record('three', { jti: 'three' }, { grantId: 'another' }, expiresAt())
  await deleteArtifactsOfGrant(store.db, hashId('grant'))
  expect(await all()).toEqual([undefined, undefined, undefined, undefined])
  expect(await questions.find('one')).toBeDefined()
  expect(await tokens.find('three')).toBeDefined()
})

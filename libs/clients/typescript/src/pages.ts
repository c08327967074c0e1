/** Lists that continue: await the first page, or iterate over all items. */

/** One page of a list. */
export type Page<Item> = {
  items: Item[]
  /** The `cursor` of the next page; null or absent at the end. */
  next_cursor?: string | null
}

/**
 * A list of the API. `for await (const item of list)` goes through all items and asks for pages as they are needed; `await list`
 * is the first page.
 */
export type Pages<Item> = AsyncIterable<Item> &
  Pick<Promise<Page<Item>>, 'then' | 'catch' | 'finally'> & {
    /** Goes through the pages. */
    pages(): AsyncIterable<Page<Item>>
  }

/** Nothing is read before the list is awaited or iterated. */
export function pagesOf<Item>(read: (cursor?: string) => Promise<Page<Item>>): Pages<Item> {
  async function* pages() {
    let page = await read()
    yield page
    while (typeof page.next_cursor === 'string') {
      page = await read(page.next_cursor)
      yield page
    }
  }
  async function* items() {
    for await (const page of pages()) yield* page.items
  }
  return {
    pages,
    [Symbol.asyncIterator]: items,
    // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list gives its first page
    then: (fulfilled, rejected) => read().then(fulfilled, rejected),
    catch: (rejected) => read().catch(rejected),
    finally: (ended) => read().finally(ended),
  }
}

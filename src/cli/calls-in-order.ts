/**
 * Starts work on items as they come, several at a time, and gives the results in the order of the items. While
 * nobody takes results, or there is no room, no more items are taken; with nothing running there is always room.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  start: (item: T) => Promise<R>,
  hasRoom: (item: T, running: readonly T[]) => boolean,
): AsyncGenerator<{ item: T; result: R }> {
  const source = items[Symbol.asyncIterator]()
  const running: T[] = []
  const results: Promise<R>[] = []
  let next: Promise<IteratorResult<T>> | undefined = source.next()
  let held: { readonly item: T } | undefined
  while (held || next || results.length > 0) {
    if (held && (running.length === 0 || hasRoom(held.item, running))) {
      const result = start(held.item)
      // Whoever comes to it will see; until then it is not unhandled.
      result.catch(() => undefined)
      running.push(held.item)
      results.push(result)
      held = undefined
      next = source.next()
    }
    const [first] = results
    const event = await Promise.race([
      ...(next ? [next.then((taken) => ({ taken }))] : []),
      ...(first ? [first.then((result) => ({ result }))] : []),
    ])
    if ('taken' in event) {
      next = undefined
      if (!event.taken.done) held = { item: event.taken.value }
    } else {
      results.shift()
      yield { item: running.shift() as T, result: event.result }
    }
  }
}

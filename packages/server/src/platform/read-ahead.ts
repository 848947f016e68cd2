/**
 * Yields pages in their order, and reads the next one while the caller works on one.
 * @param readAfter Reads the page after another one; the first one if that is null. Null after the last one.
 */
export async function* readAhead<Page>(
  readAfter: (page: Page | null) => Promise<Page | null>,
): AsyncGenerator<Page> {
  let coming = readAfter(null);
  for (;;) {
    const page = await coming;
    if (page === null) return;
    coming = readAfter(page);
    // A failure is thrown when the page is waited for, unless the caller has left before.
    coming.catch(() => undefined);
    yield page;
  }
}

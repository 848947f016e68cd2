/**
 * The pause before the second try. It is long enough for a device that has just changed its network to be
 * connected again.
 */
const RETRY_AFTER_MS = 500;

/**
 * Loads the code of a page, with a second try. If the server was updated
 * after this tab was opened, the server no longer has the files of the old
 * release. In that case, the browser loads the whole page at the target URL.
 * @param target Returns the URL of the page that is being opened.
 * @throws the failure of the second try.
 */
export async function loadPage<Page>(load: () => Promise<Page>, target: () => string) {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
  }
  try {
    return await load();
  } catch (error) {
    if (!(await isOutdated())) throw new PageUnavailable({ cause: error });
    location.assign(target());
    return new Promise<never>(() => undefined);
  }
}

/** The error when the code of a page could not be loaded. */
export class PageUnavailable extends Error {
  constructor(options: ErrorOptions) {
    super('The server could not be reached, or did not send this page', options);
  }
}

/**
 * Tells whether the server has another build of the dashboard than this tab; false when the server cannot
 * be reached.
 */
async function isOutdated(): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module]')!;
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    return answer.ok && !(await answer.text()).includes(new URL(entry.src).pathname);
  } catch {
    return false;
  }
}

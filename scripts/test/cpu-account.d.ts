/** Closes a browser by this function, and counts the CPU time of all its processes. */
export function closeBrowser(close: () => Promise<void>): Promise<void>;

/** Returns a tag as it is stored: in lower case and without white space around it. */
export const normalizeTag = (sent: string): string => sent.trim().toLowerCase();

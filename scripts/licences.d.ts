/** Lists every third-party package that the server or the dashboard contains. */
export function listShipped(): { name: string; version: string; license: string }[];

/**
 * The header by which clients tell answers of Overworld from those of proxies, captive portals and other
 * servers. Every answer has it, of every status and path. Its value is the release of the server.
 */
export const ANSWER_MARK = 'overworld-server';

/** The things that a search can demand that players lack, as the query parameter `without` names them. */
export const LACKED_BY_PLAYERS = ['login', 'events', 'calls'] as const;
export type LackedByPlayers = (typeof LACKED_BY_PLAYERS)[number];

/** The kinds of entries in the story of a player. Entries of the same moment come in this order. */
export const STORY_KINDS = [
  'change',
  'game_change',
  'login',
  'score',
  'unlock',
  'message',
  'save',
  'event',
] as const;
export type StoryKind = (typeof STORY_KINDS)[number];

/** The recorded reasons why a player's session ended. */
export const SESSION_ENDS = ['logged_out', 'token_reused'] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

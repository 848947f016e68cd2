/** The kinds of entries in the story of a player. Entries of the same moment come in this order. */
export const STORY_KINDS = [
  'change',
  'game_change',
  'login',
  'score',
  'unlock',
  'save',
  'event',
] as const;
export type StoryKind = (typeof STORY_KINDS)[number];

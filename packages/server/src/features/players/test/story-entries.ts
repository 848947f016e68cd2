/** An entry of a player's story. */
export interface Entry {
  kind: string;
  at: string;
  [member: string]: unknown;
}

/** Describes an entry in a few words. */
export const describe = ({ kind, ...entry }: Entry) => {
  switch (kind) {
    case 'event':
      return `${entry.event_name as string} in ${entry.session_id as string}`;
    case 'save':
      return `${entry.slot as string} ${entry.version as number} ${entry.action as string}`;
    case 'score':
      return `${entry.board_name as string} ${entry.score as number} ${entry.outcome as string}`;
    case 'unlock':
      return `unlock of ${entry.name as string}`;
    case 'login':
      return `${entry.action as string} ${entry.provider as string} ${entry.subject as string}`;
    case 'message':
      return `message ${entry.title as string} ${entry.action as string}`;
    default:
      return entry.action as string;
  }
};

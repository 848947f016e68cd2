const steps = encodeURIComponent(JSON.stringify([{ event_name: 'open' }, { event_name: 'buy' }]));
export const FUNNEL = `funnel?steps=${steps}`;

/** Reports on the players of a random game. Each can be limited to some players, and split. */
export const SPLIT_REPORTS = [
  'active-players',
  'retention',
  'retention?cohort=week',
  'sessions',
  'events',
  'events?limit=1',
  'events?event_name=buy',
  FUNNEL,
];
/** These, and a report that has groups of its own. */
export const SLICED_REPORTS = [
  ...SPLIT_REPORTS,
  'breakdown?event_name=buy&property=price&group_by=price',
];

/** A choice of players that all meet. */
export const ALL = { without_tags: ['nobody has this'] };

/** Headings of the API reference, in its order, by who calls what is under them. */
export const GROUPS = {
  'For games': {
    Events: 'What happens in the game, sent alone or in batches, counted against a monthly quota.',
    Players: 'Properties and tags of players, and what they have done.',
    'Cloud saves': 'One save for each player, with versions that keep devices from overwriting it.',
    Achievements: 'What players can unlock, and what they have.',
    Leaderboards: 'Ranked boards with the best score of each player.',
    'Remote config': 'Values that the game reads at its start, chosen by rules for each player.',
  },
  'For the dashboard': {
    'Dashboard authentication': 'Accounts of the people who make the games.',
    Games: 'Games, with their settings.',
    'API keys': 'What games identify themselves with, one set for each environment.',
    Members: 'Who may see and change a game, and invitations to it.',
    'Audit log': 'Who changed what, and when.',
    'Events (dashboard)': 'The newest events, and how much of the quota is used.',
    'Event schemas': 'What events must look like.',
    Analytics: 'What the events say about the game and its players.',
    'Players (dashboard)': 'Search, change, export and erase players.',
    'Cloud saves (dashboard)': 'Read and restore the saves of a player.',
    'Achievements (dashboard)': 'Define achievements; give and take them.',
    'Leaderboards (dashboard)': 'Settings, seasons and entries of boards.',
    'Remote config (dashboard)': 'Parameters with their rules, and their versions.',
  },
  'For the installation': {
    Administration: 'For the administrator of the installation.',
    'Running it': 'For load balancers, monitoring and tools.',
  },
} as const;

type ByCaller = typeof GROUPS;
export type Group = { [C in keyof ByCaller]: keyof ByCaller[C] }[keyof ByCaller];

/** The headings of the API reference, in the order in which they appear, by kind of caller. */
export const GROUPS = {
  'For games': {
    Events: 'Events of the game, sent alone or in batches and counted against a monthly quota.',
    Players: 'Properties, tags and history of players.',
    'Player login': 'Logins of players, and the tokens that say which player a request is about.',
    'Cloud saves':
      'One save for each player, or several in named slots. Versions keep devices from overwriting each other.',
    Statistics: 'Numbers of players that grow with play, such as wins or coins.',
    Achievements: 'Achievements, and the unlocks of players.',
    Messages: 'Messages to players, with rewards that players claim.',
    Leaderboards: 'Ranked boards with the best score of each player.',
    'Remote config': 'Values that the game reads at its start, chosen by rules for each player.',
  },
  'For the dashboard': {
    'Dashboard authentication': 'Accounts of the people who make the games.',
    Games: 'Games, with their settings.',
    'API keys': 'Keys with which games identify themselves, for each environment.',
    'Access tokens': 'Tokens with which the machines of a member call, such as CI and notebooks.',
    Members: 'Accounts that may see and change a game, and invitations to it.',
    Alerts: 'Rules that tell members and webhooks when a number is not as it should be.',
    Webhooks: 'Addresses that get events of the service by POST, and the messages sent to them.',
    'Audit log': 'Changes with their time and account.',
    'Events (dashboard)': 'The newest events, and the use of the quota.',
    'Event schemas': 'Schemas that events must match.',
    Analytics: 'Reports about the game and its players, from the events.',
    Dashboards: 'Charts of reports, pinned side by side by the studio.',
    'Players (dashboard)': 'Search, read, change, export and erase players.',
    'Player login (dashboard)': 'The login providers of a game, and the logins of a player.',
    'Cloud saves (dashboard)': 'Read, restore and edit the saves of a player.',
    'Statistics (dashboard)': 'Define statistics; read and set those of players.',
    'Achievements (dashboard)': 'Define achievements; give them to players and take them away.',
    'Messages (dashboard)': 'Send messages to players, recall them, and count who read them.',
    'Leaderboards (dashboard)': 'Settings, seasons and entries of boards.',
    'Remote config (dashboard)': 'Parameters with their rules, and their versions.',
    'Game as files':
      'The definitions of a game as documents, which the command `overworld` keeps as files.',
    Experiments: 'Variants of parameters for a share of the players, and their effects.',
  },
  'For the installation': {
    Administration: 'For the administrator of the installation.',
    'Running it': 'For load balancers, monitoring and tools.',
  },
} as const;

type ByCaller = typeof GROUPS;
export type Group = { [C in keyof ByCaller]: keyof ByCaller[C] }[keyof ByCaller];

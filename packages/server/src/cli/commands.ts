import { RELEASE } from '../platform/release.ts';
import {
  activateAccountCommand,
  createAccountCommand,
  forgetIdentityCommand,
  loginLinkCommand,
  resetSecondFactorCommand,
  unlockAccountCommand,
} from './accounts/accounts.ts';
import { backupCommand } from './backups/backup.ts';
import { restoreCommand } from './backups/restore.ts';
import { upgradeCommand } from './backups/upgrade.ts';
import { clusterCommand } from './cluster/cluster.ts';
import type { Command } from './command.ts';
import { applyCommand, planCommand, pullCommand } from './definitions/definitions.ts';
import { demoCommand } from './demo/demo.ts';
import { advanceCommand } from './fork/advance.ts';
import { forkCommand } from './fork/fork.ts';
import { exportGameCommand, importGameCommand } from './games/games.ts';
import { migrateCommand } from './migrate.ts';
import { rebuildAnalyticsCommand } from './games/rebuild-analytics.ts';
import { rotateJwtSecretCommand } from './accounts/rotate-jwt-secret.ts';
import { setTierCommand } from './games/set-tier.ts';
import { setupLinkCommand } from './accounts/setup-link.ts';
import { startCommand } from './start/start.ts';

/** All commands, in the order of the help page. */
export const COMMANDS: Command[] = [
  startCommand,
  migrateCommand,
  setupLinkCommand,
  createAccountCommand,
  activateAccountCommand,
  unlockAccountCommand,
  loginLinkCommand,
  forgetIdentityCommand,
  resetSecondFactorCommand,
  setTierCommand,
  rotateJwtSecretCommand,
  rebuildAnalyticsCommand,
  demoCommand,
  exportGameCommand,
  importGameCommand,
  forkCommand,
  advanceCommand,
  pullCommand,
  planCommand,
  applyCommand,
  backupCommand,
  restoreCommand,
  upgradeCommand,
  clusterCommand,
];

/** Makes the text of `overworld help`. */
export function showHelp(): string {
  const calls = COMMANDS.map(({ name, usage }) => `${name} ${usage}`.trim());
  const width = Math.max(...calls.map((call) => call.length));
  return [
    `overworld ${RELEASE}: a game backend that you run yourself`,
    '',
    'Usage: npx overworld <command>',
    '',
    ...COMMANDS.map(({ summary }, index) => `  ${calls[index]!.padEnd(width)}  ${summary}`),
    '',
    'Settings are environment variables, with these defaults:',
    ...SETTINGS.map(([setting, meaning]) => `  ${setting.padEnd(28)}  ${meaning}`),
  ].join('\n');
}

const SETTINGS: [string, string][] = [
  ['HOST=127.0.0.1', 'Address to listen on; 0.0.0.0 for all'],
  ['PORT=8080', 'Port to listen on'],
  ['WORKERS=', 'Threads that serve the port; on Linux one fewer than cores, else 1'],
  ['DATA_DIR=./data', 'Folder of the bundled PostgreSQL and of mails that are not sent'],
  ['DATABASE_URL=', 'Another PostgreSQL (15 or newer) instead of the bundled one'],
  ['TENANT_GROUPS=', 'Schemas over which a new installation spreads its games; else 1'],
  ['REDIS_URL=', 'Redis or Valkey, only for several servers on one database'],
  ['PUBLIC_URL=', 'Address under which people reach the dashboard'],
  ['SMTP_URL=', 'Mail server; without it mails are files in DATA_DIR/mails'],
  ['MAIL_FROM=', 'Sender of mails'],
  ['OIDC_ISSUER=', 'OpenID Connect issuer with which staff log in to the dashboard'],
  ['OIDC_CLIENT_ID=', 'The id of the client that the issuer gave'],
  ['OIDC_CLIENT_SECRET=', 'Its secret; without it the client proves itself by PKCE alone'],
  ['OIDC_DOMAINS=', 'Domains whose addresses may join, separated by commas; * for all'],
  ['OIDC_NAME=', 'Name of the issuer on the login page; else its host'],
  ['OIDC_TRUST_EMAILS=', 'true: addresses count without the claim email_verified'],
  ['OIDC_SCOPES=', 'Scopes that a login asks for; else openid email profile'],
  ['OIDC_GROUPS_CLAIM=', 'Claim with the groups of a person; else groups'],
  ['OIDC_ROLES=', 'Roles of groups: group=role@game_id, separated by semicolons'],
  ['OIDC_ONLY=', 'true: passwords log nobody in'],
  ['REGISTRATION=open', 'open, or closed: only invited people get an account'],
  ['ACCOUNT_ACTIVATION=none', 'none, email (by a link) or admin (by an administrator)'],
  [
    'RATE_LIMIT_PER_MINUTE=1000',
    'Requests a minute per API key, access token, account or IP address',
  ],
  ['RATE_LIMIT_CEILING=1000', "The most that administrators may allow a game's keys"],
  ['MAX_CONNECTIONS_PER_ADDRESS=1000', 'Open connections of an IP address, except TRUST_PROXY'],
  ['MAX_CONNECTIONS=20000', 'Open connections in total'],
  ['CORS_ORIGINS=*', 'Origins of web games and of pages with tokens, separated by commas'],
  ['TRUST_PROXY=false', 'true, or addresses of proxies whose X-Forwarded-For counts'],
  ['JWT_SECRET=', 'Signs dashboard tokens; made and kept in the database when unset'],
  ['JWT_SECRET_PREVIOUS=', 'The previous secret, for 7 days, so that a new one logs nobody out'],
  [
    'EVENT_RETENTION_DAYS=0',
    'Days that raw events and changes of players are kept, events by whole months; 0 for ever',
  ],
  ['LEADERBOARD_MEMORY_MB=256', 'Memory for the rank orders of boards in use'],
  ['STEAM_API_URL=https://api.steampowered.com', 'Address that checks Steam tickets of players'],
  ['ALLOW_PRIVATE_ISSUERS=false', 'true: login issuers of players may be in private networks'],
  ['ALLOW_PRIVATE_WEBHOOKS=false', 'true: webhooks of games may be in private networks'],
  ['SAVE_HISTORY_KB=1024', 'Kilobytes of a player for save versions before the last ten of a slot'],
  ['BACKUP_TO=', 'Folder, or s3://bucket/folder, to which the server backs itself up'],
  ['BACKUP_EVERY=', 'Time from one backup to the next, such as 30m, 12h or 7d; else 24h'],
  ['BACKUP_KEEP=', 'Backups that are kept; else 14'],
  ['EVENTS_EXPORT_TO=', 'Folder, or s3://bucket/folder, to which the server exports all events'],
  ['AWS_ACCESS_KEY_ID=', 'Key for s3://'],
  ['AWS_SECRET_ACCESS_KEY=', 'Its secret'],
  ['AWS_REGION=', 'Region of the bucket; else us-east-1'],
  ['AWS_ENDPOINT_URL=', 'Server of the bucket; else that of Amazon for the region'],
  ['METRICS_TOKEN=', 'Bearer token for /metrics from other machines and behind a proxy'],
  ['LOG_LEVEL=info', 'fatal, error, warn, info, debug, trace or silent'],
  ['LOG_REQUESTS=all', 'Requests in the log: all, failed (400 and more) or none'],
  ['DRAIN_SECONDS=0', 'Seconds to serve on at a stop, while /readyz tells load balancers'],
];

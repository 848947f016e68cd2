/** A backup that this release has named. */
export interface BackupName {
  name: string;
  /** The id of the installation. */
  id: string;
  /** Backups of an installation are numbered, because its clock may be set back. */
  number: number;
}

const NAME = /^overworld-([0-9a-f]{12})-(\d{6,12})-\d{4}-\d\d-\d\dT\d{6}Z\.ndjson\.gz$/;

/** The beginning of the names of all backups of an installation. */
export const prefixOf = (id: string): string => `overworld-${id}-`;

/** Names a backup, such as `overworld-3f9a0c1d2b4e-000042-2026-11-30T033000Z.ndjson.gz`. */
export function nameBackup(id: string, number: number, now: Date): string {
  const time = now.toISOString().replace(/\.\d+/, '').replaceAll(':', '');
  return `${prefixOf(id)}${String(number).padStart(6, '0')}-${time}.ndjson.gz`;
}

/** Lists the backups among some files, the newest of each installation first. */
export function listBackups(names: readonly string[]): BackupName[] {
  return names
    .flatMap((name) => {
      const [, id, number] = NAME.exec(name) ?? [];
      return id === undefined ? [] : [{ name, id, number: Number(number) }];
    })
    .sort((a, b) => b.number - a.number || (a.name < b.name ? 1 : -1));
}

import { addDays } from '../../../reports/days/report-days.ts';
import { ownZone } from '../../../ui/time/own-zone.ts';
import { momentOf } from '../../../ui/time/zoned-time.ts';

/** A time zone in which times can be shown, and the words that name it. */
interface Zone {
  /** IANA name, such as `Europe/Berlin`. */
  name: string;
  words: string;
}

/** Lists the time zones that a reader can choose: the game's zone, the reader's own, and UTC. */
export function zonesFor(game_zone: string): Zone[] {
  const zones = [
    {
      name: game_zone,
      words:
        game_zone === ownZone ? `${game_zone}, the game’s and yours` : `${game_zone}, the game’s`,
    },
    { name: ownZone, words: `${ownZone}, yours` },
    { name: 'UTC', words: 'UTC' },
  ];
  return zones.filter(({ name }, index) => zones.findIndex((zone) => zone.name === name) === index);
}

/** Returns the moment at which a calendar day ends. */
export const endOfDay = (day: string, zone: string): string =>
  momentOf(`${addDays(day, 1)}T00:00`, zone)!;

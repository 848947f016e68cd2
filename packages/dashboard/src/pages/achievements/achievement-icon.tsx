import { IconTrophy } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './achievement-icon.module.css';

/** The icon of an achievement, or a trophy where the icon is missing or cannot be loaded. */
export function AchievementIcon({ url, locked = false }: { url: string; locked?: boolean }) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className={classes.icon} data-locked={locked}>
      {url && url !== broken ? (
        <img src={url} alt="" referrerPolicy="no-referrer" onError={() => setBroken(url)} />
      ) : (
        <IconTrophy size={20} aria-hidden />
      )}
    </span>
  );
}

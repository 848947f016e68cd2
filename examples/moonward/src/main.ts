import './style.css';
import './notices.css';
import './hud.css';
import './controls.css';
import './screens.css';
import './devices.css';
import { App } from './app.ts';
import { Game } from './game.ts';
import { Backend } from './online/backend.ts';
import { localStore } from './local-store.ts';
import { claimTabId } from './online/tab-id.ts';
import { showHud, showOffline, showWeather } from './screens/hud.ts';
import { showToast } from './screens/notices.ts';
import { buildStage } from './screens/stage.ts';
import { Sounds } from './sound/sounds.ts';
import { connectMute } from './screens/mute.ts';
import { makeName } from './world/names.ts';
import { isSameDifficulty } from './world/weather.ts';

void boot();

async function boot(): Promise<void> {
  const [settings, tab] = await Promise.all([
    fetch('./settings.json').then((answer) => answer.json()),
    claimTabId(),
  ]);
  const reduced_motion = matchMedia('(prefers-reduced-motion: reduce)');
  const stage = buildStage();
  const sounds = new Sounds(localStore.read('muted') === true);
  let isFirstDifficulty = true;

  const game: Game = new Game({
    canvas: stage.canvas,
    sounds,
    still: () => reduced_motion.matches,
    onPhase: (phase, run) => {
      showHud(stage, phase, run);
      app.enterPhase(phase);
    },
    onFrame: (run) => showHud(stage, game.phase, run),
    onEvent: (_event, run) => app.noteEarned(run),
    onResults: (run) => void app.endNight(run),
  });
  const backend: Backend = new Backend(settings, {
    progress: () => app.refreshTitle(),
    conflict: () => showToast(stage, 'Saved in two places', 'Merged: nothing is lost.'),
    difficulty: (difficulty) => {
      const hasTurned = !isSameDifficulty(difficulty, game.difficulty);
      if (!hasTurned && !isFirstDifficulty) return;
      game.setDifficulty(difficulty);
      showWeather(stage, difficulty, !isFirstDifficulty);
      if (!isFirstDifficulty) backend.overworld.track('weather_turned', { ...difficulty });
      isFirstDifficulty = false;
    },
    connection: (isOnline) => showOffline(stage, isOnline, backend.waiting),
    caughtUp: (ranks) => app.showCaughtUp(ranks),
  });
  const app: App = new App(stage, game, backend, sounds, tab);

  connectMute(stage.hud.mute, sounds);
  if (backend.progress.name.text === '') app.nameAnew(makeName(Math.random));
  app.showTitle();
  await backend.start();
  app.refreshTitle();
}

import type { AchievementList } from '@overworld/sdk';
import { openDevices } from './device-dialogs.ts';
import type { Backend } from './online/backend.ts';
import type { Ranks } from './online/scores.ts';
import type { Game, Phase } from './game.ts';
import { showAchievementsScreen } from './screens/achievements-screen.ts';
import { renderBoard, showBoardsScreen } from './screens/boards-screen.ts';
import type { BoardPage, BoardView } from './screens/boards-screen.ts';
import { element } from './screens/element.ts';
import { showToast } from './screens/notices.ts';
import { showPauseScreen } from './screens/pause-screen.ts';
import { describeRanks, showRanks, showResultsScreen } from './screens/results-screen.ts';
import { closeSheet } from './screens/sheet.ts';
import type { Stage } from './screens/stage.ts';
import { showTitleScreen } from './screens/title-screen.ts';
import { showUpgradesScreen } from './screens/upgrades-screen.ts';
import type { Sounds } from './sound/sounds.ts';
import { ACHIEVEMENTS, findEarned } from './world/achievements.ts';
import { addNight, balanceOf, buyUpgrade, sumTallies } from './world/progress.ts';
import { heightOf, scoreOf } from './world/run.ts';
import type { Run } from './world/run.ts';
import type { UpgradeKey } from './world/upgrades.ts';

/** Connects the screens, and tells the server about the events of the game. */
export class App {
  readonly #stage: Stage;
  readonly #game: Game;
  readonly #backend: Backend;
  readonly #sounds: Sounds;
  readonly #tab: string;
  #shown_title = '';
  /** Text about the ranks of the night, kept while another screen is shown. */
  #ranks = '';
  /** Opens the current screen again, with new data of the server. */
  #reopen = () => {};

  constructor(stage: Stage, game: Game, backend: Backend, sounds: Sounds, tab: string) {
    this.#stage = stage;
    this.#game = game;
    this.#backend = backend;
    this.#sounds = sounds;
    this.#tab = tab;
    stage.hud.pause.addEventListener('click', () => game.pause());
    addEventListener('keydown', ({ code }) => {
      if (code !== 'Escape' && code !== 'KeyP') return;
      if (game.phase === 'flying') game.pause();
      else if (game.phase === 'paused') this.#resume();
    });
  }

  showTitle(): void {
    this.#game.showTitle();
    this.#openTitle();
  }

  #openTitle(): void {
    const { progress, login } = this.#backend;
    this.#shown_title = this.#describeTitle();
    showTitleScreen(this.#stage.sheet, progress, login, {
      play: () => this.#setOff(),
      rename: (name) => this.#rename(name),
      openBoards: () => this.#openBoards('daily', () => this.#openTitle()),
      openAchievements: () => this.#openAchievements(),
      openUpgrades: () => this.#openUpgrades(() => this.#openTitle()),
      openDevices: () => openDevices(this.#stage.sheet, this.#backend, () => this.#openTitle()),
    });
    void this.refreshAside();
  }

  /** Shows the title screen again if another tab or the cloud save has changed the progress. */
  refreshTitle(): void {
    const { sheet } = this.#stage;
    if (sheet.dataset.screen !== 'title') return;
    if (document.activeElement instanceof HTMLInputElement) return;
    if (this.#describeTitle() !== this.#shown_title) this.#openTitle();
  }

  #describeTitle(): string {
    const { progress, login } = this.#backend;
    return `${progress.name.text} ${progress.best.score} ${balanceOf(progress)} ${login}`;
  }

  /**
   * Sets an invented name. A name that the player has chosen on another device replaces an invented one.
   */
  nameAnew(text: string): void {
    this.#backend.changeProgress((progress) => ({ ...progress, name: { text, chosen_at: '' } }));
  }

  #rename(name: string): void {
    const text = name.trim();
    if (text === '' || text === this.#backend.progress.name.text) return;
    const chosen_at = new Date().toISOString();
    this.#backend.changeProgress((progress) => ({ ...progress, name: { text, chosen_at } }));
    this.#backend.overworld.track('name_chosen', { length: text.length });
  }

  #setOff(): void {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
    const { upgrades } = this.#backend.progress;
    closeSheet(this.#stage.sheet);
    this.#game.prepare(seed, upgrades);
    this.#stage.canvas.focus();
    const { weather, dawn_speed } = this.#game.difficulty;
    this.#backend.overworld.track('night_begun', { weather, dawn_speed, upgrades });
  }

  /** Updates the page for a phase of the game. */
  enterPhase(phase: Phase): void {
    if (phase !== 'paused') return;
    showPauseScreen(this.#stage.sheet, {
      resume: () => this.#resume(),
      giveUp: () => void this.endNight(this.#game.stop()),
    });
  }

  #resume(): void {
    closeSheet(this.#stage.sheet);
    this.#stage.canvas.focus();
    this.#game.resume();
  }

  /** Stores achievements immediately, so closing the tab in the middle of a night loses none. */
  noteEarned(run: Run): void {
    if (run.time_s === 0) return;
    const earned = findEarned(run, this.#backend.progress);
    if (earned.length === 0) return;
    this.#backend.changeProgress((progress) => ({
      ...progress,
      achievements: [...progress.achievements, ...earned].sort(),
    }));
    for (const { key, name, points } of ACHIEVEMENTS) {
      if (!earned.includes(key)) continue;
      this.#sounds.playFanfare();
      showToast(this.#stage, name, `Achievement, ${points} points`, 'achievement');
      this.#backend.overworld.track('achievement_unlocked', { key });
    }
    void this.#backend.unlockEarned();
  }

  /** Counts, saves and submits a finished night. */
  async endNight(run: Run): Promise<void> {
    const [score, height] = [scoreOf(run), heightOf(run)];
    const { pollen, lamps, best_chain } = run.tallies;
    const isBest = score > this.#backend.progress.best.score;
    this.noteEarned(run);
    this.#backend.changeProgress((progress) =>
      addNight(progress, this.#tab, { pollen, lamps, score, height }),
    );
    this.#backend.overworld.track('night_over', {
      score,
      height,
      lamps,
      pollen,
      best_chain,
      seconds: Math.round(run.time_s),
      weather: run.difficulty.weather,
    });
    this.#ranks = score > 0 ? 'Asking for your rank …' : '';
    this.#openResults(run, isBest);
    if (score > 0) this.#showRanks(await this.#backend.submitNight({ score, height }));
    await this.refreshAside();
    await this.#backend.describePlayer(sumTallies(this.#backend.progress).nights);
  }

  #showRanks(ranks: Ranks | null): void {
    this.#ranks = ranks
      ? describeRanks(ranks)
      : 'Your score waits on this device, and is sent when you are online.';
    showRanks(this.#stage.sheet, this.#ranks);
  }

  /** Shows the data that was missing while the server could not be reached. */
  showCaughtUp(ranks: Ranks | null): void {
    const text = ranks
      ? `Your score was sent. ${describeRanks(ranks)}`
      : 'All that waited is sent.';
    showToast(this.#stage, 'Back online', text);
    if (ranks) this.#showRanks(ranks);
    const { screen = '' } = this.#stage.sheet.dataset;
    if (['boards', 'achievements'].includes(screen)) this.#reopen();
    this.refreshTitle();
    void this.refreshAside();
  }

  #openResults(run: Run, isBest: boolean): void {
    const back = () => this.#openResults(run, isBest);
    showResultsScreen(this.#stage.sheet, run, isBest, this.#ranks, {
      again: () => this.#setOff(),
      openBoards: () => this.#openBoards('daily', back),
      openUpgrades: () => this.#openUpgrades(back),
      showTitle: () => this.showTitle(),
    });
  }

  async #openBoards(view: BoardView, back: () => void): Promise<void> {
    const reopen = () => this.#openBoards(view, back);
    this.#reopen = reopen;
    const { sheet } = this.#stage;
    const actions = { back, select: (other: BoardView) => this.#openBoards(other, back) };
    const show = (page: BoardPage | 'loading' | 'offline') => {
      const { overworld, nightWaits } = this.#backend;
      showBoardsScreen(sheet, view, page, overworld.playerId, nightWaits, actions);
    };
    show('loading');
    const page = await this.#backend.readBoard(view);
    // Another board may have been chosen in the meantime.
    if (sheet.dataset.screen === 'boards' && this.#reopen === reopen) show(page);
  }

  async #openAchievements(): Promise<void> {
    this.#reopen = () => this.#openAchievements();
    const { sheet } = this.#stage;
    const { achievements } = this.#backend.progress;
    const show = (list: AchievementList | 'loading' | 'offline') =>
      showAchievementsScreen(sheet, list, achievements, () => this.#openTitle());
    show('loading');
    const list = await this.#backend.listAchievements();
    if (sheet.dataset.screen === 'achievements') show(list ?? 'offline');
  }

  #openUpgrades(back: () => void): void {
    showUpgradesScreen(this.#stage.sheet, this.#backend.progress, {
      back,
      buy: (key) => {
        this.#buy(key);
        this.#openUpgrades(back);
      },
    });
  }

  #buy(key: UpgradeKey): void {
    this.#backend.changeProgress((progress) => buyUpgrade(progress, key) ?? progress);
    const level = this.#backend.progress.upgrades[key];
    this.#backend.overworld.track('upgrade_bought', { upgrade: key, level });
  }

  /** Updates the board beside the poster, if the window has room for a board. */
  async refreshAside(): Promise<void> {
    const { board_aside } = this.#stage;
    if (getComputedStyle(board_aside).display === 'none') return;
    const page = await this.#backend.readBoard('daily');
    const board = renderBoard(page, this.#backend.overworld.playerId);
    board_aside.replaceChildren(element('h2', {}, 'Tonight'), board);
  }
}

import * as Phaser from 'phaser';
import { finishRun, loadProgress } from './online';

const WIDTH = 480;
const HEIGHT = 640;
const RUN_SECONDS = 10;
const INK = '#f3ead7';

/** Each tap lights a lantern, which rises. The score is the number of lanterns in ten seconds. */
class Lanterns extends Phaser.Scene {
  private progress = { best: 0, runs: 0 };
  private score = 0;
  private state: 'title' | 'run' | 'over' = 'title';
  private head!: Phaser.GameObjects.Text;
  private words!: Phaser.GameObjects.Text;

  create(): void {
    const wordWrap = { width: WIDTH - 80 };
    const style = { fontFamily: 'sans-serif', color: INK, align: 'center', wordWrap };
    this.head = this.add.text(WIDTH / 2, 90, 'Lanterns', { ...style, fontSize: '48px' });
    this.words = this.add.text(WIDTH / 2, 230, '', { ...style, fontSize: '24px', lineSpacing: 8 });
    for (const text of [this.head, this.words]) text.setOrigin(0.5, 0).setDepth(1);
    this.input.on('pointerdown', ({ x, y }: Phaser.Input.Pointer) => this.tap(x, y));
    this.input.keyboard?.on('keydown-SPACE', ({ repeat }: KeyboardEvent) => {
      if (!repeat) this.tap(Phaser.Math.Between(40, WIDTH - 40), HEIGHT - 60);
    });
    this.show(['Tap or press Space:', 'light as many as you can']);
    void loadProgress().then((progress) => {
      this.progress = progress;
      if (this.state === 'title' && progress.runs > 0) {
        this.show([`Your best: ${progress.best}`, '', 'Tap or press Space']);
      }
    });
  }

  private tap(x: number, y: number): void {
    if (this.state === 'over') return;
    if (this.state === 'title') this.beginRun();
    this.score++;
    this.head.setText(`${this.score}`);
    const lantern = this.add.circle(x, y, 14, 0xf2b04b);
    const done = () => lantern.destroy();
    this.tweens.add({ targets: lantern, y: -20, alpha: 0.2, duration: 2_500, onComplete: done });
  }

  private beginRun(): void {
    this.state = 'run';
    this.score = 0;
    let left = RUN_SECONDS;
    this.show([`${left} s`]);
    this.time.addEvent({
      delay: 1_000,
      repeat: RUN_SECONDS - 1,
      callback: () => {
        left--;
        if (left > 0) this.show([`${left} s`]);
        else void this.endRun();
      },
    });
  }

  private async endRun(): Promise<void> {
    this.state = 'over';
    const { best, runs } = this.progress;
    this.progress = { best: Math.max(best, this.score), runs: runs + 1 };
    this.show(['Sending your score…']);
    const lines = await finishRun(this.score, this.progress);
    this.show([...lines, '', 'Tap or press Space']);
    this.state = 'title';
  }

  private show(lines: string[]): void {
    this.words.setText(lines);
  }
}

export const game = new Phaser.Game({
  type: Phaser.AUTO,
  width: WIDTH,
  height: HEIGHT,
  backgroundColor: '#101b2d',
  scale: { mode: Phaser.Scale.FIT, autoCenter: Phaser.Scale.CENTER_BOTH },
  scene: Lanterns,
});

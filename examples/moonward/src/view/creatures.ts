import { CORAL, PAPER, YELLOW } from './inks.ts';

type Context = CanvasRenderingContext2D;

/** Draws the moth, which looks along `heading`; `flap` advances with time. */
export function drawMoth(
  context: Context,
  {
    x,
    y,
    heading,
    flap,
    dazed,
    misprint,
  }: {
    x: number;
    y: number;
    heading: number;
    flap: number;
    dazed: boolean;
    misprint: number;
  },
): void {
  context.save();
  context.translate(x, y);
  context.rotate(heading + Math.PI / 2);
  context.scale(1.25, 1.25);
  if (dazed) context.globalAlpha = 0.55 + 0.45 * Math.sin(flap * 1.4);
  const spread = 0.7 + 0.3 * Math.sin(flap);
  for (const side of [-1, 1]) {
    context.save();
    context.scale(side * spread, 1);
    context.fillStyle = PAPER;
    wing(context);
    // The eye spot is drawn slightly beside its place, like a second colour of a cheap print.
    context.translate(misprint * 0.6, misprint * 0.4);
    context.fillStyle = CORAL;
    context.beginPath();
    context.ellipse(10, -3, 3.6, 4.4, 0.4, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = YELLOW;
    context.beginPath();
    context.arc(8, 7, 2, 0, 2 * Math.PI);
    context.fill();
    context.restore();
  }
  context.fillStyle = CORAL;
  context.beginPath();
  context.ellipse(0, 1, 3, 9, 0, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = PAPER;
  context.lineWidth = 1.3;
  context.beginPath();
  context.moveTo(-1, -7);
  context.quadraticCurveTo(-3, -13, -8, -15);
  context.moveTo(1, -7);
  context.quadraticCurveTo(3, -13, 8, -15);
  context.stroke();
  context.restore();
}

/** Draws the right wing; the left wing is its mirror image. */
function wing(context: Context): void {
  context.beginPath();
  context.moveTo(0, -5);
  context.bezierCurveTo(8, -17, 22, -16, 21, -5);
  context.bezierCurveTo(20, 2, 12, 4, 8, 4);
  context.bezierCurveTo(17, 6, 16, 15, 9, 15);
  context.bezierCurveTo(4, 15, 1, 9, 0, 5);
  context.closePath();
  context.fill();
}

export function drawBat(context: Context, x: number, y: number, flap: number, ink: string): void {
  const lift = Math.sin(flap) * 6;
  context.save();
  context.translate(x, y);
  context.fillStyle = ink;
  context.strokeStyle = CORAL;
  context.lineWidth = 1.6;
  context.beginPath();
  context.moveTo(0, -5);
  context.quadraticCurveTo(-10, -9 - lift, -25, -3 - lift);
  context.quadraticCurveTo(-18, 0, -17, 6 - lift * 0.4);
  context.quadraticCurveTo(-10, 2, -6, 8);
  context.lineTo(0, 5);
  context.lineTo(6, 8);
  context.quadraticCurveTo(10, 2, 17, 6 - lift * 0.4);
  context.quadraticCurveTo(18, 0, 25, -3 - lift);
  context.quadraticCurveTo(10, -9 - lift, 0, -5);
  context.fill();
  context.stroke();
  context.fillStyle = YELLOW;
  for (const side of [-2.6, 2.6]) {
    context.beginPath();
    context.arc(side, -1, 1.4, 0, 2 * Math.PI);
    context.fill();
  }
  context.restore();
}

/** Draws a paper lantern on its string. `left` is the remaining share of its life, from 1 to 0. */
export function drawLamp(
  context: Context,
  {
    x,
    y,
    lit,
    out,
    left,
    string,
    ink,
    misprint,
  }: {
    x: number;
    y: number;
    lit: boolean;
    out: boolean;
    left: number;
    /** The upper end of its string, relative to the lamp. */
    string: number;
    ink: string;
    misprint: number;
  },
): void {
  context.save();
  context.translate(x, y);
  context.strokeStyle = PAPER;
  context.globalAlpha = out ? 0.25 : 0.55;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, -14);
  context.quadraticCurveTo(string * 0.3, -34, string, -58);
  context.stroke();
  context.globalAlpha = out ? 0.4 : 1;
  if (lit && !out) {
    context.fillStyle = CORAL;
    body(context, misprint, misprint * 0.7);
    context.fillStyle = left < 0.35 ? CORAL : YELLOW;
    body(context, 0, 0);
  } else {
    context.fillStyle = ink;
    body(context, 0, 0);
    context.lineWidth = 1.8;
    context.stroke();
  }
  context.strokeStyle = lit && !out ? ink : PAPER;
  context.globalAlpha *= 0.55;
  context.lineWidth = 1;
  context.beginPath();
  for (const rib of [-5, 0, 5]) {
    const half = Math.sqrt(1 - (rib / 14) ** 2) * 12;
    context.moveTo(-half, rib);
    context.quadraticCurveTo(0, rib + 2.4, half, rib);
  }
  context.stroke();
  context.globalAlpha = out ? 0.4 : 1;
  context.fillStyle = PAPER;
  context.fillRect(-5, -15.5, 10, 3);
  context.fillRect(-5, 12.5, 10, 3);
  context.restore();
}

function body(context: Context, x: number, y: number): void {
  context.beginPath();
  context.ellipse(x, y, 12.5, 14, 0, 0, 2 * Math.PI);
  context.fill();
}

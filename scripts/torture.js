// `npm run torture -- <suite>`: attacks the server for longer than a test of a few seconds can, prints
// figures, and fails when a promise is broken. docs/reliability.md lists the promises.
import { parseArgs } from 'node:util';
import { createReport } from '../torture/suite.ts';
import { findChromium } from './test/chromium.js';
import { findGodot } from './test/godot.js';

process.env.CHROMIUM_PATH ??= findChromium() ?? '';
process.env.GODOT_BIN ??= findGodot() ?? '';
// The suites read these variables while they load.
const { SUITES } = await import('../torture/suites.ts');
process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]) {
  const suite = SUITES.find((candidate) => candidate.name === name);
  if (suite === undefined) {
    console.log(showHelp());
    return name === undefined || ['help', '--help', '-h'].includes(name) ? 0 : 1;
  }
  const options = readOptions(suite, args);
  if (options === null) return 1;
  // Handlers of `exit` end the processes of a suite, also after Ctrl-C.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  const report = createReport(console.log);
  try {
    await suite.run(options, report);
  } catch (error) {
    report.violation(`the run ended with an error: ${error.stack}`);
  }
  console.log(`\n${showFigures(suite, options, report)}`);
  return report.violations.length === 0 ? 0 : 1;
}

function readOptions(suite, args) {
  try {
    const names = Object.keys(suite.options);
    const { values } = parseArgs({
      args,
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    });
    return Object.fromEntries(
      names.map((name) => {
        const value = Number(values[name] ?? suite.options[name].default);
        if (!Number.isFinite(value)) throw new Error(`--${name} must be a number`);
        return [name, value];
      }),
    );
  } catch (error) {
    console.error(error.message);
    return null;
  }
}

function showHelp() {
  const lines = ['npm run torture -- <suite> [options]', ''];
  for (const { name, summary, options } of SUITES) {
    lines.push(`  ${name.padEnd(14)} ${summary}`);
    for (const [option, { default: value, meaning }] of Object.entries(options)) {
      lines.push(`      --${option.padEnd(10)} ${meaning} (${value})`);
    }
  }
  return lines.join('\n');
}

function showFigures(suite, options, { figures, violations }) {
  const words = Object.entries(options).map(([name, value]) => `--${name} ${value}`);
  const lines = [`npm run torture -- ${[suite.name, ...words].join(' ')}`];
  for (const [name, value] of figures) lines.push(`  ${name.padEnd(58)} ${value}`);
  lines.push(`  ${'violations'.padEnd(58)} ${violations.length}`);
  return lines.join('\n');
}

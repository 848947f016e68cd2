/**
 * Watches the event loop of this process, in which the test server runs too.
 * @returns `stop`, which returns the most CPU time in milliseconds that one turn of the loop has taken. Unlike the
 * time that passed, it does not grow when other processes take the CPU.
 */
export function watchEventLoop(): { stop: () => number } {
  let longest_us = 0;
  let is_over = false;
  let before = cpuTime();
  const turn = () => {
    const now = cpuTime();
    longest_us = Math.max(longest_us, now - before);
    before = now;
    if (!is_over) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      is_over = true;
      return longest_us / 1_000;
    },
  };
}

function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

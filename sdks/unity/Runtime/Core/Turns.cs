using System;
using System.Threading.Tasks;

namespace Overworld
{
    /// <summary>Runs calls one after another, in the order they were made, whatever becomes of each.</summary>
    internal sealed class Turns
    {
        private Task last = Task.FromResult(true);

        public Task<T> Take<T>(Func<Task<T>> run)
        {
            var turn = RunAfter(last, run);
            last = turn;
            return turn;
        }

        private static async Task<T> RunAfter<T>(Task before, Func<Task<T>> run)
        {
            try
            {
                await before;
            }
            catch (Exception)
            {
                // Whoever asked for it was told.
            }
            return await run();
        }
    }
}

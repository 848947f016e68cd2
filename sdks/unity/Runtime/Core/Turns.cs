using System;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>Runs calls one after another in their order, also after calls that fail.</summary>
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
                // The caller has received this error.
            }
            return await run();
        }
    }
}

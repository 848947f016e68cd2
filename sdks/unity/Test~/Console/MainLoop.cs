using System;
using System.Collections.Generic;
using System.Threading;

/// <summary>Stands for Unity's main thread: all work of the client is done here, one piece after another.</summary>
internal sealed class MainLoop : SynchronizationContext
{
    private const int FrameMilliseconds = 5;
    private readonly Queue<Action> work = new Queue<Action>();
    private bool isStopped;

    public override void Post(SendOrPostCallback callback, object state)
    {
        lock (work)
        {
            work.Enqueue(() => callback(state));
            Monitor.Pulse(work);
        }
    }

    public void Stop()
    {
        Post(ignored => isStopped = true, null);
    }

    public void Run(Action frame)
    {
        while (!isStopped)
        {
            Action next = null;
            lock (work)
            {
                if (work.Count == 0) Monitor.Wait(work, FrameMilliseconds);
                if (work.Count > 0) next = work.Dequeue();
            }
            if (next != null) next();
            frame();
        }
    }
}

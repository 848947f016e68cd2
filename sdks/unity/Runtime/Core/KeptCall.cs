using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>A call that is kept until the server has answered it.</summary>
    internal sealed class KeptCall
    {
        /// <summary>The stored members of the call.</summary>
        public readonly Dictionary<string, object> Members;
        public string Name;
        /// <summary>True if the storage has it.</summary>
        public bool IsStored;
        /// <summary>True if a caller waits for the outcome.</summary>
        public bool IsAwaited;
        /// <summary>True if the game has made it since its start, or has loaded it.</summary>
        public bool IsSeen;
        /// <summary>Arguments that cannot be stored; null after a restart.</summary>
        public object Given;
        public object Result;
        public Exception Error;

        public KeptCall(Dictionary<string, object> members)
        {
            Members = members;
        }

        /// <param name="target">The board, achievement or slot, or the idempotency key of changes of statistics.</param>
        public KeptCall(string kind, string player, string target)
            : this(new Dictionary<string, object> { { "kind", kind }, { "player_id", player }, { "target", target } })
        {
        }

        public string Kind { get { return Members.Text("kind"); } }
        public string PlayerId { get { return Members.Text("player_id"); } }
        public string Target { get { return Members.Text("target"); } }
        /// <summary>The same for all calls about the same board, achievement or slot of a player.</summary>
        public string Key { get { return PlayerId + " " + Target; } }
        public double Score { get { return Members.Number("score"); } }

        public bool IsLike(string kind, string player, string target)
        {
            return Kind == kind && PlayerId == player && Target == target;
        }
    }
}

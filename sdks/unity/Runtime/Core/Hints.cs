using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>Tells the developers of a game about mistakes.</summary>
    internal sealed class Hints
    {
        private readonly Action<string> log;
        private readonly HashSet<string> said = new HashSet<string>();

        /// <param name="log">Null to say nothing.</param>
        public Hints(string apiKey, Action<string> log)
        {
            if (apiKey.StartsWith("ow_dev_", StringComparison.Ordinal)) this.log = log;
        }

        /// <summary>With a development key, says each text once. With a production key, says nothing.</summary>
        public void Say(string text)
        {
            if (log != null && said.Add(text)) log("[Overworld] " + text);
        }

        public void SayDropped(DroppedEvents dropped)
        {
            var reasons = new List<string>();
            if (dropped.Message != null) reasons.Add(dropped.Message);
            foreach (var violation in dropped.Violations)
            {
                var why = violation.Path + " " + violation.Message;
                if (!reasons.Contains(why)) reasons.Add(why);
            }
            Say("Events are dropped (" + dropped.Reason + ")" + (reasons.Count == 0 ? "" : ": " + string.Join("; ", reasons.ToArray())));
        }

        public void SayWarnings(IList<EventViolation> warnings)
        {
            foreach (var warning in warnings) Say(warning.EventName + ": " + warning.Path + " " + warning.Message);
        }

        /// <summary>Tells about a refused key, and an address where no server answers.</summary>
        public void SayFailure(OverworldException error, OverworldOptions options)
        {
            if (error.Code == "unauthorized" && error.Message.Contains("API key"))
            {
                var key = options.ApiKey.Substring(0, Math.Min(12, options.ApiKey.Length));
                Say(options.BaseUrl + " refuses the API key " + key + "…: " + error.Message);
            }
            // The server has no such route if the address has a path.
            else if (error.Code == "network" || error.Code == "timeout" || error.Code == "bad_answer" || error.Code == "offline" || error.Message == "Route not found")
            {
                Say("No Overworld server answers at " + options.BaseUrl + ": " + error.Message);
            }
        }
    }
}

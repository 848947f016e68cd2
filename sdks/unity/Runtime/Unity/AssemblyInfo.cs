using UnityEngine.Scripting;

// A game may use the settings alone. Without this line, no script refers to this assembly then, and a build
// leaves it out together with the method that connects at the start.
[assembly: AlwaysLinkAssembly]

// Declarations of the parts of NUnit and of Unity's Test Framework that the package's tests use.
using System;

namespace NUnit.Framework
{
    public sealed class TestAttribute : Attribute { }

    public sealed class TearDownAttribute : Attribute { }

    public static class Assert
    {
        public static void AreEqual(object expected, object actual) { }
        public static void AreSame(object expected, object actual) { }
        public static void IsTrue(bool condition) { }
        public static void IsNotNull(object value) { }
    }
}

namespace UnityEngine.TestTools
{
    public sealed class UnityTestAttribute : Attribute { }
}

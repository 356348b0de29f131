// The people of the fake use the same signal library, which prints sessions with their keys.
console.info = () => undefined;
console.warn = () => undefined;
console.error = () => undefined;

/** Whether the user has asked the system for less motion. */
export const isStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** How a list moves to a place: it glides, unless the user wants less motion. */
export const glide = () => (isStill() ? 'auto' : 'smooth');

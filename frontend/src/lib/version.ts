/** The label at the foot of the side menu (specification 1 §9). */
export const VERSION = '5.2.1';

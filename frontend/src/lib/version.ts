/** The label at the foot of the side menu (rules/screens §1). */
export const VERSION = '5.2.1';

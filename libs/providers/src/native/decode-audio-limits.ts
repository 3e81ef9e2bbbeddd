/** Longer recordings are refused. */
export const maxSeconds = 4 * 3_600;

/** The exit code for unusable settings, keys or schema (EX_CONFIG of sysexits.h): starting again does not help. */
export const exitConfig = 78;

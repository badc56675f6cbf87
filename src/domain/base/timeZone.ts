/** Whether this is the name of a time zone (IANA) whose clocks are known here. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

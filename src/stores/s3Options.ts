import { minuteMs } from '../time.ts';

/** For a request without a part, and its response. */
export const commandOptions = { requestTimeout: 5_000 };

export const clientOptions = {
  /** Requests that fail, or return status 500 or 503, are retried with increasing delays: three attempts in all. */
  maxAttempts: 3,
  // Every frame is authenticated anyway, and many stores do not support the newer checksums.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: {
    connectionTimeout: 3_000,
    socketTimeout: minuteMs, // a slow reader leaves a connection idle
    throwOnRequestTimeout: true,
  },
} as const;

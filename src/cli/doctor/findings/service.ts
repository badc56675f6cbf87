import { failure, ok, warning } from './checkResult.ts';

/** What the running service shows at the address that people use. Code → what a check says. */
export const serviceFindings = {
  serviceReady: ({ url }: { url: string }) => ok('service', `${url} says that it is ready`),
  serviceNotReady: ({ url }: { url: string }) =>
    failure('service', `${url} says that it is not ready`, 'Look at its log: it waits for its database.'),
  serviceAway: ({ url, code }: { url: string; code: string }) =>
    warning(
      'service',
      `nothing responds at ${url} (${code})`,
      'Start the service; if it runs, correct BASE_URL, the proxy or the firewall.',
    ),
  serviceElsewhere: ({ url, status }: { url: string; status: number }) =>
    failure(
      'service',
      `something other than hushpush responds at ${url}, with status ${status}`,
      'Correct BASE_URL, or the proxy: it must pass on every path, without the path of BASE_URL.',
    ),
  serviceNameUnknown: ({ hostname, code }: { hostname: string; code: string }) =>
    failure('service', `${hostname} has no address (${code})`, 'Correct BASE_URL, or the DNS of its name.'),
  certificateInvalid: ({ url, code }: { url: string; code: string }) =>
    failure(
      'service',
      `the certificate of ${url} is not valid (${code})`,
      'Renew or correct the certificate.',
    ),
  proxyNotTrusted: () =>
    warning(
      'proxy',
      'its X-Forwarded-For is ignored, so all its clients share one address and its limits',
      'Add the address of the proxy to TRUSTED_PROXIES.',
    ),
  proxyHidesClients: () =>
    warning(
      'proxy',
      'sends no X-Forwarded-For, so all its clients share one address and its limits',
      'Have the proxy send X-Forwarded-For.',
    ),
  proxyLimitsBody: ({ mib }: { mib: number }) =>
    warning(
      'uploads',
      `of ${mib} MiB are refused by the proxy`,
      'Raise its limit (nginx: client_max_body_size), or lower MAX_UPLOAD_MIB.',
    ),
  serviceClockDiffers: ({ seconds }: { seconds: number }) =>
    warning(
      'service clock',
      `differs from the clock here by ${seconds} s`,
      'Synchronize both machines with NTP.',
    ),
};

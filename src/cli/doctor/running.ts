import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Finding, failure, ok, warning } from '../../config/checks.ts';
import { type Config, publicUrl } from '../../config.ts';
import { secondMs } from '../../time.ts';

const timeoutMs = 5 * secondMs;
const bodyTimeoutMs = 2 * secondMs;
const clockSkewMs = 30 * secondMs;
const mebibyte = 1024 * 1024;
const formMebibytes = 6;
const tooLarge = 413;

type Readiness = { status?: string; forwarded?: 'used' | 'ignored' };

/** Asks the running service at the address that people use: name, certificate, proxy, size of uploads, clock. */
export async function checkRunning(config: Config): Promise<Finding[]> {
  if (config.BASE_URL === undefined && config.PORT === 0) return [];
  const url = `${publicUrl(config)}/readyz`;
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: Error) => error,
  );
  if (response instanceof Error) return [unreachable(url, response)];
  const body = (await response.json().catch(() => ({}))) as Readiness;
  if (response.status === 503) {
    const advice = 'Look at its log: it waits for its database.';
    return [failure('serviceNotReady', 'service', `${url} says that it is not ready`, advice)];
  }
  if (body.status !== 'ready')
    return [
      failure(
        'serviceElsewhere',
        'service',
        `something other than hushpush responds at ${url}, with status ${response.status}`,
        'Correct BASE_URL, or the proxy: it must pass on every path, without the path of BASE_URL.',
      ),
    ];
  return [
    ok('serviceReady', 'service', `${url} says that it is ready`),
    ...checkForwarded(url, body),
    ...checkDate(response.headers.get('date')),
    ...(await checkSizes(config, url)),
  ];
}

function unreachable(url: string, { name, cause }: Error): Finding {
  const { code = name } = (cause ?? {}) as { code?: string };
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return failure(
      'serviceNameUnknown',
      'service',
      `${new URL(url).hostname} has no address (${code})`,
      'Correct BASE_URL, or the DNS of its name.',
    );
  if (/CERT|SIGNATURE|SELF_SIGNED|TLS|SSL/.test(code))
    return failure(
      'certificateInvalid',
      'service',
      `the certificate of ${url} is not valid (${code})`,
      'Renew or correct the certificate.',
    );
  return warning(
    'serviceAway',
    'service',
    `nothing responds at ${url} (${code})`,
    'Start the service; if it runs, correct BASE_URL, the proxy or the firewall.',
  );
}

/** A proxy must forward the client's address, and we must trust the proxy. TLS always ends at a proxy. */
function checkForwarded(url: string, { forwarded }: Readiness): Finding[] {
  if (forwarded === 'ignored')
    return [
      warning(
        'proxyNotTrusted',
        'proxy',
        'its X-Forwarded-For is ignored, so all its clients share one address and its limits',
        'Add the address of the proxy to TRUSTED_PROXIES.',
      ),
    ];
  if (forwarded === 'used' || !url.startsWith('https:')) return [];
  return [
    warning(
      'proxyHidesClients',
      'proxy',
      'sends no X-Forwarded-For, so all its clients share one address and its limits',
      'Have the proxy send X-Forwarded-For.',
    ),
  ];
}

function checkDate(date: string | null): Finding[] {
  const skewMs = date === null ? 0 : Date.parse(date) - Date.now();
  if (Math.abs(skewMs) < clockSkewMs) return [];
  const difference = `differs from the clock here by ${Math.round(skewMs / 1000)} s`;
  return [warning('serviceClockDiffers', 'service clock', difference, 'Synchronize both machines with NTP.')];
}

async function checkSizes({ FILES, MAX_UPLOAD_MIB }: Config, url: string): Promise<Finding[]> {
  const mib = FILES === 'off' ? formMebibytes : Math.max(formMebibytes, MAX_UPLOAD_MIB);
  if (await acceptsBody(url, mib * mebibyte)) return [];
  return [
    warning(
      'proxyLimitsBody',
      'uploads',
      `of ${mib} MiB are refused by the proxy`,
      'Raise its limit (nginx: client_max_body_size), or lower MAX_UPLOAD_MIB.',
    ),
  ];
}

/**
 * Whether a body of that size may be sent. Only announces it: a proxy with a lower limit refuses at once, and one
 * without waits for the first byte.
 */
function acceptsBody(url: string, bytes: number): Promise<boolean> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const request = send(url, {
      method: 'POST',
      headers: { 'content-length': bytes, 'content-type': 'application/octet-stream' },
      timeout: bodyTimeoutMs,
      agent: false,
    });
    const end = (accepts: boolean) => {
      resolve(accepts);
      request.destroy();
    };
    request
      .on('response', ({ statusCode }) => end(statusCode !== tooLarge))
      .on('timeout', () => end(true))
      .on('error', () => end(true))
      .flushHeaders();
  });
}

import { type Config, publicUrl } from '../../config.ts';
import { secondMs } from '../../time.ts';
import { type Finding, report } from './finding.ts';
import { acceptsBody } from './largeBody.ts';

const timeoutMs = 5 * secondMs;
const clockSkewMs = 30 * secondMs;
const mebibyte = 1024 * 1024;
const formMebibytes = 6;

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
  if (response.status === 503) return [report('serviceNotReady', { url })];
  if (body.status !== 'ready') return [report('serviceElsewhere', { url, status: response.status })];
  return [
    report('serviceReady', { url }),
    ...checkForwarded(url, body),
    ...checkDate(response.headers.get('date')),
    ...(await checkSizes(config, url)),
  ];
}

function unreachable(url: string, { name, cause }: Error): Finding {
  const { code = name } = (cause ?? {}) as { code?: string };
  const { hostname } = new URL(url);
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return report('serviceNameUnknown', { hostname, code });
  if (/CERT|SIGNATURE|SELF_SIGNED|TLS|SSL/.test(code)) return report('certificateInvalid', { url, code });
  return report('serviceAway', { url, code });
}

/** A proxy must say whom it forwards, and we must trust it; TLS is always the work of a proxy. */
function checkForwarded(url: string, { forwarded }: Readiness): Finding[] {
  if (forwarded === 'ignored') return [report('proxyNotTrusted')];
  return forwarded === undefined && url.startsWith('https:') ? [report('proxyHidesClients')] : [];
}

function checkDate(date: string | null): Finding[] {
  const skewMs = date === null ? 0 : Date.parse(date) - Date.now();
  return Math.abs(skewMs) < clockSkewMs
    ? []
    : [report('serviceClockDiffers', { seconds: Math.round(skewMs / 1000) })];
}

async function checkSizes({ FILES, MAX_UPLOAD_MIB }: Config, url: string): Promise<Finding[]> {
  const mib = FILES === 'off' ? formMebibytes : Math.max(formMebibytes, MAX_UPLOAD_MIB);
  return (await acceptsBody(url, mib * mebibyte)) ? [] : [report('proxyLimitsBody', { mib })];
}

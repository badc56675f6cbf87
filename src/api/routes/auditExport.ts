import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { type AuditEntry, urlTokenSha256 } from '../../domain/index.ts';
import { csvLine } from '../../http/csv.ts';
import { capturedToken } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { placeCell, presentAuditRow } from '../presenters/audit.ts';

const columns = [
  'created_at',
  'updated_at',
  'kind',
  'successful',
  'ip',
  'user_agent',
  'referrer',
  'times',
  'opened_by',
] as const;

/** The whole audit log of a push, oldest first: as CSV for spreadsheets, and as a JSON object per line. */
export function auditExportRoutes(router: Router, { domain: { pushes }, auth }: ApiDependencies): void {
  router.get('/p/:token/audit.csv', async (ctx) => {
    const { rows, sha256 } = await readAll(ctx);
    ctx.type = 'text/csv; charset=utf-8; header=present';
    const lines = rows.map((entry) => {
      const row = presentAuditRow(entry);
      return csvLine([...columns.map((name) => row[name]), row.recipient?.name, placeCell(entry), sha256]);
    });
    ctx.body = [csvLine([...columns, 'recipient', 'place', 'url_token_sha256']), ...lines].join('');
  });

  router.get('/p/:token/audit.ndjson', async (ctx) => {
    const { rows, sha256 } = await readAll(ctx);
    ctx.type = 'application/x-ndjson; charset=utf-8';
    const entries = rows.map((row) => ({ ...presentAuditRow(row), url_token_sha256: sha256 }));
    ctx.body = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  });

  /** A log has less than 2,000 rows, so it fits in memory. */
  async function readAll(ctx: Context) {
    const caller = await auth.requireAccount(ctx, 'read');
    const urlToken = await pushes.resolveName(capturedToken(ctx), caller);
    const rows: AuditEntry[] = [];
    for (let page = 1; ; page++) {
      const found = await pushes.auditLog(urlToken, page, caller);
      rows.push(...found);
      if (found.length === 0) return { rows, sha256: urlTokenSha256(urlToken) };
    }
  }
}

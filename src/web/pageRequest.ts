import type { Context } from 'koa';
import type { ClientInfo, SignedIn } from '../domain/index.ts';
import type { UploadOptions } from '../http/uploads.ts';
import type { Fields, SubmittedForm } from './forms.ts';
import type { PageContext } from './pageContext.ts';

/** Who asks for a page. */
export type Visitor = { signedIn: SignedIn | null; client: ClientInfo };
export type SignedInVisitor = Visitor & { signedIn: SignedIn };

/** What the handler of a page gets. `fields` is empty unless a form was read. */
export type PageRequest = Visitor & { ctx: Context; page: PageContext; fields: Fields };
export type SignedInPageRequest = PageRequest & SignedInVisitor;

/** A form that may bring files: its handler reads it, since it decides where the files go. */
export type UploadPageRequest = PageRequest & { read(options: UploadOptions): Promise<SubmittedForm> };

/**
 * The markup of a page, as text or as its handler has encoded it; or where to redirect after a form; or the address of another
 * service to redirect to; or a file to download.
 */
export type PageResult = string | Buffer | { to: string } | { away: string } | { file: DownloadedFile };

/** The name says which type of file it is. */
export type DownloadedFile = { name: string; content: AsyncIterable<string> };

export type PageHandler<Request> = (request: Request) => Promise<PageResult> | PageResult;
/** Shows a refusal in a page's own way; undefined leaves it to the usual one. The status is that of the refusal. */
export type RefusalHandler<Request> = (
  request: Request,
  error: unknown,
) => Promise<PageResult | undefined> | PageResult | undefined;

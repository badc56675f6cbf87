import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Context } from 'koa';
import proxyAddr from 'proxy-addr';
import type { ClientInfo } from '../domain/index.ts';

/**
 * Programs that fetch links to show previews, in chats and mail. The list is only an addition: what protects a push is
 * that opening its page counts no view.
 */
const previewers =
  /slackbot|slack-imgproxy|discordbot|telegrambot|whatsapp|facebookexternalhit|facebookcatalog|twitterbot|linkedinbot|skypeuripreview|mattermost-bot|rocket\.chat|synapse|zulipurlpreview|google-pagerenderer|googleimageproxy|googlebot|bingbot|bingpreview|applebot|pinterestbot|redditbot|embedly|iframely|vkshare|viber|line-poker|snapchat|msteams|ms-search|cardyb|mastodon|pleroma|bitlybot/i;

/**
 * Reads the client from a request, once. Behind `trustedProxies` its address is the right-most one that is not a trusted
 * proxy.
 */
export function createClientReader(trustedProxies: string[]) {
  const trust = proxyAddr.compile(trustedProxies);
  const isProxy = createProxyTest(trustedProxies);

  /** An invalid header must neither fail the request nor become the address; some proxies add a port. */
  function addressOf(req: IncomingMessage): string {
    const peer = req.socket.remoteAddress ?? '';
    if (!isProxy(req.socket)) return peer;
    const forwarded = proxyAddr(req, (address, hop) => hop === 0 || trust(address, hop));
    const address = forwarded.replace(/^\[(.*)\](:\d+)?$|^(\d+(?:\.\d+){3}):\d+$/, '$1$3');
    return isIP(address) === 0 ? peer : address;
  }

  return ({ req, state }: Context): ClientInfo => {
    const { headers } = req;
    const userAgent = headers['user-agent'] ?? '';
    // Functions, not getters: V8 keeps each accessor, and so all of its request, until it collects the old generation.
    state.client ??= {
      ip: plainAddress(addressOf(req)),
      userAgent,
      referrer: headers.referer ?? '',
      isPreviewer: () => previewers.test(userAgent) || isPrefetch(headers),
      isCrossSite: isCrossSite(headers),
      isGone: () => !req.socket.writable,
    } satisfies ClientInfo;
    return state.client;
  };
}

/** Whether a peer is one of the trusted proxies. */
export function createProxyTest(trustedProxies: string[]) {
  const trust = proxyAddr.compile(trustedProxies);
  const tested = new WeakMap<Socket, boolean>(); // each response asks
  return (socket: Socket): boolean => {
    const known = tested.get(socket);
    if (known !== undefined) return known;
    const isProxy = trust(socket.remoteAddress ?? '', 0);
    tested.set(socket, isProxy);
    return isProxy;
  };
}

/** An IPv4 address without the prefix that it has on a socket for both versions. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Whether a page of another site loads this as a part of itself. A person who follows a link loads a document. */
function isCrossSite(headers: IncomingMessage['headers']): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-dest': destination = 'document' } = headers;
  return site === 'cross-site' && destination !== 'document';
}

function isPrefetch(headers: IncomingMessage['headers']): boolean {
  return [headers['sec-purpose'], headers.purpose, headers['x-moz']].some((value) =>
    /prefetch|preview/i.test(String(value ?? '')),
  );
}

/** The parts of OpenAPI 3.1 that the description of our API uses. */
export type OpenApi = {
  openapi: string;
  info: object;
  servers: { url: string }[];
  security: Security[];
  tags: { name: string; description: string }[];
  paths: Paths;
  webhooks: Record<string, { post: object }>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, ApiResponse>;
    headers: object;
    securitySchemes: object;
  };
};

/** The description of this service's API. */
export type ReadOpenApi = () => Promise<OpenApi>;

/** Path → method → operation. */
export type Paths = Record<string, Record<string, Operation>>;

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  security?: Security[];
  /** The scope that suffices for an API token, besides full. */
  'x-token-scope'?: string;
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, ApiResponse | Reference>;
  'x-codeSamples'?: CodeSample[];
};

/** Schemes that a request needs together. Their lists are for OAuth alone. */
export type Security = Record<string, string[]>;

/** A request in one language, to copy. */
export type CodeSample = { lang: string; label: string; source: string };

/** A reference to a component, such as `#/components/responses/NotFound`. */
export type Reference = { $ref: string };

export type ApiResponse = {
  description: string;
  headers?: object;
  content?: Record<string, { schema: JsonSchema; example?: unknown }>;
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description: string;
  schema: JsonSchema;
};

export type RequestBody = {
  required: boolean;
  content: { [type: string]: { schema: JsonSchema; example?: unknown } };
};

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: (string | null)[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  items?: JsonSchema;
  contentMediaType?: string;
};

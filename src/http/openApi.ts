/** The parts of OpenAPI 3.1 that the description of our API uses. */
export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Paths;
  components: object;
};

/** Path → method → operation. */
export type Paths = Record<string, Record<string, Operation>>;

export type Operation = {
  summary: string;
  deprecated?: boolean;
  description?: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, { description: string; content?: object }>;
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
  content: { 'application/json': { schema: JsonSchema }; [type: string]: { schema: JsonSchema } };
};

export type JsonSchema = {
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

import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/errors.ts';

/** What is wrong with the names, a line for each mistake. */
function mistakes(environment: Record<string, string>, inFile?: Record<string, string>): string[] {
  try {
    readConfig(environment, inFile && { path: '/srv/.env', settings: inFile });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').slice(1);
  }
  return [];
}

/** Misspelt → meant. */
const typos: Record<string, string> = {
  BASEURL: 'BASE_URL',
  BASE_ULR: 'BASE_URL',
  base_url: 'BASE_URL',
  'BASE-URL': 'BASE_URL',
  ALOW_ANONYMOUS: 'ALLOW_ANONYMOUS',
  ALLOW_ANONYMUOS: 'ALLOW_ANONYMOUS',
  ALLOW_SIGNUP: 'ALLOW_SIGN_UP',
  MASTER_KEY: 'MASTER_KEYS',
  PEPER: 'PEPPER',
  TRUSTED_PROXIS: 'TRUSTED_PROXIES',
  RATE_LIMIT: 'RATE_LIMITS',
  MAX_FILE_MB: 'MAX_FILE_MIB',
  DATABASE_URI: 'DATABASE_URL',
  DISCORD_TOKENS: 'DISCORD_TOKEN',
  HUSHPUSH_BASE_URL: 'BASE_URL',
  HUSHPUSH_PORT: 'PORT',
};

/** The environments in which hushpush and its neighbours are often started. */
const environments: Record<string, string> = {
  'a shell': `PATH HOME HOSTNAME HOSTTYPE USER LOGNAME SHELL SHLVL LANG LANGUAGE LC_ALL TERM TERM_PROGRAM PWD OLDPWD MAIL
    EDITOR VISUAL PAGER DISPLAY TMPDIR TZ SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY XDG_RUNTIME_DIR XDG_DATA_DIRS
    XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS LS_COLORS LESSOPEN SUDO_USER SUDO_UID SUDO_COMMAND MOTD_SHOWN BASH_ENV
    FILE FILES_TO_READ HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy all_proxy DEBUG LOGLEVEL`,
  'npm and Node': `NODE NODE_ENV NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS YARN_VERSION NVM_DIR NVM_BIN
    INIT_CWD COLOR EDITOR npm_command npm_config_cache npm_config_prefix npm_config_local_prefix npm_config_user_agent
    npm_lifecycle_event npm_lifecycle_script npm_package_json npm_package_name npm_package_version npm_execpath
    npm_node_execpath UV_THREADPOOL_SIZE`,
  'Docker and Compose': `HOSTNAME HOME PATH container PUID PGID UMASK MYSQL_HOST MYSQL_PORT MYSQL_DATABASE MYSQL_USER
    MYSQL_PASSWORD MYSQL_ROOT_PASSWORD MARIADB_DATABASE MARIADB_ROOT_PASSWORD DATABASE_HOST DATABASE_PORT DATABASE_USER
    DATABASE_NAME DB_HOST DB_PORT DB_URL REDIS_URL REDIS_HOST COMPOSE_PROJECT_NAME VIRTUAL_HOST VIRTUAL_PORT
    LETSENCRYPT_HOST`,
  systemd: `INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID SYSTEMD_LOG_LEVEL LISTEN_FDS LISTEN_PID LISTEN_FDNAMES
    NOTIFY_SOCKET WATCHDOG_USEC WATCHDOG_PID MAINPID MANAGERPID STATE_DIRECTORY LOGS_DIRECTORY CACHE_DIRECTORY
    RUNTIME_DIRECTORY CONFIGURATION_DIRECTORY CREDENTIALS_DIRECTORY MEMORY_PRESSURE_WATCH MEMORY_PRESSURE_WRITE
    SERVICE_RESULT EXIT_CODE EXIT_STATUS`,
  'GitHub Actions': `CI GITHUB_ACTION GITHUB_ACTIONS GITHUB_ACTOR GITHUB_API_URL GITHUB_BASE_REF GITHUB_ENV
    GITHUB_EVENT_NAME GITHUB_EVENT_PATH GITHUB_HEAD_REF GITHUB_JOB GITHUB_PATH GITHUB_REF GITHUB_REPOSITORY GITHUB_RUN_ID
    GITHUB_SERVER_URL GITHUB_SHA GITHUB_TOKEN GITHUB_WORKFLOW GITHUB_WORKSPACE RUNNER_ARCH RUNNER_NAME RUNNER_OS
    RUNNER_TEMP RUNNER_TOOL_CACHE RUNNER_WORKSPACE ACTIONS_CACHE_URL ACTIONS_RUNTIME_TOKEN ACTIONS_RUNTIME_URL
    AGENT_TOOLSDIRECTORY ImageOS ImageVersion SLACK_WEBHOOK_URL SLACK_API_TOKEN SLACK_CHANNEL DISCORD_WEBHOOK
    DISCORD_WEBHOOK_URL`,
  'GitLab CI and Jenkins': `CI_JOB_ID CI_JOB_URL CI_JOB_TOKEN CI_SERVER_HOST CI_SERVER_PORT CI_SERVER_URL CI_PROJECT_URL
    CI_PAGES_URL CI_REGISTRY GITLAB_CI BUILD_ID BUILD_URL BUILD_NUMBER BUILD_TAG JOB_NAME JOB_URL JOB_BASE_NAME
    JENKINS_URL JENKINS_HOME NODE_NAME NODE_LABELS WORKSPACE EXECUTOR_NUMBER`,
  clouds: `DYNO WEB_CONCURRENCY WEB_MEMORY K_SERVICE K_REVISION K_CONFIGURATION FLY_APP_NAME FLY_REGION FLY_ALLOC_ID
    RENDER RENDER_SERVICE_ID RENDER_EXTERNAL_URL RAILWAY_ENVIRONMENT RAILWAY_PUBLIC_DOMAIN WEBSITE_SITE_NAME
    WEBSITE_HOSTNAME WEBSITES_PORT AWS_REGION AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
    AWS_SESSION_TOKEN AWS_PROFILE AWS_ENDPOINT_URL_STS AWS_ENDPOINT_URL_SQS AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
    AWS_EXECUTION_ENV ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4`,
};

/** What Kubernetes, and Docker with links, tell a container of a service. */
function serviceVariables(service: string): Record<string, string> {
  const name = service.toUpperCase().replaceAll('-', '_');
  const link = `${name}_PORT_5100_TCP`;
  return {
    [`${name}_SERVICE_HOST`]: '10.0.0.7',
    [`${name}_SERVICE_PORT`]: '5100',
    [`${name}_SERVICE_PORT_HTTP`]: '5100',
    [`${name}_PORT`]: 'tcp://10.0.0.7:5100',
    [link]: 'tcp://10.0.0.7:5100',
    [`${link}_PROTO`]: 'tcp',
    [`${link}_PORT`]: '5100',
    [`${link}_ADDR`]: '10.0.0.7',
  };
}

describe('The names of settings', () => {
  for (const [typo, meant] of Object.entries(typos)) {
    it(`include no ${typo}, in the environment or in .env`, () => {
      expect(mistakes({ [typo]: 'x' })).to.deep.equal([
        `  ${typo} is not a setting; did you mean ${meant}? If not, leave it empty for hushpush`,
      ]);
      expect(mistakes({}, { [typo]: 'x' })).to.deep.equal([
        `  ${typo} in /srv/.env is not a setting; did you mean ${meant}?`,
      ]);
    });
  }

  for (const [place, names] of Object.entries(environments)) {
    it(`are not taken for misspelt in the environment of ${place}`, () => {
      expect(mistakes(Object.fromEntries(names.split(/\s+/).map((name) => [name, 'x'])))).to.deep.equal([]);
    });
  }

  it('are not taken for misspelt beside other services of Kubernetes, whatever their names', () => {
    const services = [
      'kubernetes',
      'hushpush',
      'redis',
      'mariadb',
      'worker',
      'workers',
      'web',
      'host',
      'slack',
    ];
    expect(mistakes(Object.assign({}, ...services.map(serviceVariables)))).to.deep.equal([]);
    expect(readConfig(serviceVariables('worker')).WORKER_PORT).to.equal(undefined);
  });

  it('are not taken for misspelt if the setting that they resemble is set, or if they are empty', () => {
    expect(mistakes({ BASEURL: 'x', BASE_URL: 'https://push.test' })).to.deep.equal([]);
    expect(mistakes({ BASEURL: 'x' }, { BASE_URL: 'https://push.test' })).to.deep.equal([]);
    expect(mistakes({ BASEURL: '', LOG_LEVELS: ' ' })).to.deep.equal([]);
  });

  it('must all be known in .env, but for those that the AWS library reads', () => {
    expect(mistakes({}, { AWS_REGION: 'eu-1', AWS_ACCESS_KEY_ID: 'a', PORT: '5100' })).to.deep.equal([]);
    expect(mistakes({}, { MYSQL_ROOT_PASSWORD: 'tulip', NODE_ENV: 'production' })).to.deep.equal([
      '  MYSQL_ROOT_PASSWORD in /srv/.env is not a setting',
      '  NODE_ENV in /srv/.env is not a setting',
    ]);
  });

  it('may be those of Compose, Node.js and the system in a .env that is shared with them', () => {
    for (const name of [
      'HTTP_PROXY',
      'https_proxy',
      'NO_PROXY',
      'TZ',
      'LC_ALL',
      'NODE_OPTIONS',
      'COMPOSE_FILE',
    ])
      expect(mistakes({}, { [name]: 'x' }), name).to.deep.equal([]);
    expect(mistakes({}, { TRUSTED_PROXY: 'x' })).to.deep.equal([
      '  TRUSTED_PROXY in /srv/.env is not a setting; did you mean TRUSTED_PROXIES?',
    ]);
  });
});

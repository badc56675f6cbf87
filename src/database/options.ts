/** Options of Sequelize that are the same for every database. */
export const sharedOptions = {
  logging: false,
  timezone: '+00:00',
  retry: { max: 1 },
  define: { timestamps: false, underscored: true },
} as const;
